// SPDX-License-Identifier: Apache-2.0
/** What all example services share: where they are configured, and how they reach a database. */
@NullMarked
package io.outledger.examples;

import org.jspecify.annotations.NullMarked;
