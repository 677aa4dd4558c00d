// SPDX-License-Identifier: Apache-2.0
/** Records of runs, and the page that is written from them. */
@NullMarked
package io.outledger.chaos.record;

import org.jspecify.annotations.NullMarked;
