// SPDX-License-Identifier: Apache-2.0
/** The Java blocks of the documents, compiled here: a test of the house compares them. */
@NullMarked
package io.outledger.examples.guide;

import org.jspecify.annotations.NullMarked;
