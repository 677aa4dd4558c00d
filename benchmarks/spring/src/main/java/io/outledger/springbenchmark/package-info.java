// SPDX-License-Identifier: Apache-2.0
/** What the measured applications have in common. */
@NullMarked
package io.outledger.springbenchmark;

import org.jspecify.annotations.NullMarked;
