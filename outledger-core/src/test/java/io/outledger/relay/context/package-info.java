// SPDX-License-Identifier: Apache-2.0
/** Tests of what a relay's parts work with. */
@NullMarked
package io.outledger.relay.context;

import org.jspecify.annotations.NullMarked;
