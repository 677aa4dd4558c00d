// SPDX-License-Identifier: Apache-2.0
/** Tests of the guide's application. */
@NullMarked
package io.outledger.examples.guide;

import org.jspecify.annotations.NullMarked;
