// SPDX-License-Identifier: Apache-2.0
/** The same application with the starter and one handler. */
@NullMarked
package io.outledger.springbenchmark.handler;

import org.jspecify.annotations.NullMarked;
