// SPDX-License-Identifier: Apache-2.0
/** The application without Outledger. */
@NullMarked
package io.outledger.springbenchmark.plain;

import org.jspecify.annotations.NullMarked;
