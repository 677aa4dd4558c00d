// SPDX-License-Identifier: Apache-2.0
/** Real processes that are really killed. */
@NullMarked
package io.outledger.chaos.run;

import org.jspecify.annotations.NullMarked;
