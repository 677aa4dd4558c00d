// SPDX-License-Identifier: Apache-2.0
/** Tests of what can be tested of the demo without servers. */
@NullMarked
package io.outledger.examples.demo;

import org.jspecify.annotations.NullMarked;
