// SPDX-License-Identifier: Apache-2.0
/** Events in Kotlin and with Lombok. */
@NullMarked
package io.outledger.examples.languages;

import org.jspecify.annotations.NullMarked;
