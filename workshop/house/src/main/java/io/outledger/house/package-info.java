// SPDX-License-Identifier: Apache-2.0
/**
 * The house rules and the report on a test run. This package exists so that the rules are kept by
 * tests that read the sources, and not by people who remember them.
 */
@NullMarked
package io.outledger.house;

import org.jspecify.annotations.NullMarked;
