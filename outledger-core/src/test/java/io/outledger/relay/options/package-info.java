// SPDX-License-Identifier: Apache-2.0
/** Tests of a relay's options. */
@NullMarked
package io.outledger.relay.options;

import org.jspecify.annotations.NullMarked;
