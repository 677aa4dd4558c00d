// SPDX-License-Identifier: Apache-2.0
/** What docs/testing.md shows: its Java is copied from here. */
@NullMarked
package io.outledger.junit.page;

import org.jspecify.annotations.NullMarked;
