// SPDX-License-Identifier: Apache-2.0
/** An application that appends, and one row more in its place. */
@NullMarked
package io.outledger.springbenchmark.append;

import org.jspecify.annotations.NullMarked;
