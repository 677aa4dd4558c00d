// SPDX-License-Identifier: Apache-2.0
/**
 * A subscription as a {@link java.util.concurrent.Flow.Publisher}, for reactive streams. Begin with
 * {@link io.outledger.flow.MessageFlow}.
 */
@NullMarked
package io.outledger.flow;

import org.jspecify.annotations.NullMarked;
