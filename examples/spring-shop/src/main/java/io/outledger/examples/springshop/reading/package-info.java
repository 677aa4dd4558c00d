// SPDX-License-Identifier: Apache-2.0
/** Consumers that only listen: mail and analytics. */
@NullMarked
package io.outledger.examples.springshop.reading;

import org.jspecify.annotations.NullMarked;
