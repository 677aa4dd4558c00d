// SPDX-License-Identifier: Apache-2.0
/**
 * The one judge of every test: it reads a history and says which promises were broken. Most callers
 * need {@link io.outledger.chaos.checker.Checker} and its {@link
 * io.outledger.chaos.checker.Report}. It must never need to know how the history came about.
 */
@NullMarked
package io.outledger.chaos.checker;

import org.jspecify.annotations.NullMarked;
