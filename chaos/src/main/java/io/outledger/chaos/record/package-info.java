// SPDX-License-Identifier: Apache-2.0
/**
 * What runs have shown, a line of JSON for each, and the page that is written from all lines. A
 * line is never taken back: a run that failed stays, with what was done about it.
 */
@NullMarked
package io.outledger.chaos.record;

import org.jspecify.annotations.NullMarked;
