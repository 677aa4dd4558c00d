// SPDX-License-Identifier: Apache-2.0
/** The events that the services agree on. They know nothing of Outledger. */
@NullMarked
package io.outledger.examples.contract;

import org.jspecify.annotations.NullMarked;
