// SPDX-License-Identifier: Apache-2.0
/** The module that ships what is paid. */
@NullMarked
package io.outledger.examples.monolith.shipping;

import org.jspecify.annotations.NullMarked;
