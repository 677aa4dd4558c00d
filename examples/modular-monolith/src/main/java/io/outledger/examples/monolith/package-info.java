// SPDX-License-Identifier: Apache-2.0
/**
 * One application of three modules. Start reading at {@link
 * io.outledger.examples.monolith.Application}.
 */
@NullMarked
package io.outledger.examples.monolith;

import org.jspecify.annotations.NullMarked;
