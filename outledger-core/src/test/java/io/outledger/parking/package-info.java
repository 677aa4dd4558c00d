// SPDX-License-Identifier: Apache-2.0
/** Tests of what sending and receiving share. */
@NullMarked
package io.outledger.parking;

import org.jspecify.annotations.NullMarked;
