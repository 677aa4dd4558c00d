// SPDX-License-Identifier: Apache-2.0
/** Tests of receivers over a consumer's database in memory. */
@NullMarked
package io.outledger.receive;

import org.jspecify.annotations.NullMarked;
