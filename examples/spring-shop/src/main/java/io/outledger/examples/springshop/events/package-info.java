// SPDX-License-Identifier: Apache-2.0
/** What the services tell one another. */
@NullMarked
package io.outledger.examples.springshop.events;

import org.jspecify.annotations.NullMarked;
