// SPDX-License-Identifier: Apache-2.0
/**
 * The core types of Outledger: messages, errors, and the types that all modules share. Most users
 * need only {@link io.outledger.Outbox} and {@link io.outledger.Message}.
 */
@NullMarked
package io.outledger;

import org.jspecify.annotations.NullMarked;
