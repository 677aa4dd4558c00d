// SPDX-License-Identifier: Apache-2.0
/** The shop as its users see it. */
@NullMarked
package io.outledger.examples.springshop;

import org.jspecify.annotations.NullMarked;
