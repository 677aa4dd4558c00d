// SPDX-License-Identifier: Apache-2.0
/** What modules tell one another. They know nothing else of each other. */
@NullMarked
package io.outledger.examples.monolith.events;

import org.jspecify.annotations.NullMarked;
