// SPDX-License-Identifier: Apache-2.0
/** A relay as a process of its own, for a service that runs none itself. */
@NullMarked
package io.outledger.examples.relay;

import org.jspecify.annotations.NullMarked;
