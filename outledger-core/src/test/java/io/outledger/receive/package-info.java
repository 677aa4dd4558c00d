// SPDX-License-Identifier: Apache-2.0
/** Tests of receiving without a broker. */
@NullMarked
package io.outledger.receive;

import org.jspecify.annotations.NullMarked;
