// SPDX-License-Identifier: Apache-2.0
/** The broker between the services, whichever it is: all that they know of it. */
@NullMarked
package io.outledger.examples.messaging;

import org.jspecify.annotations.NullMarked;
