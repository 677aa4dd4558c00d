// SPDX-License-Identifier: Apache-2.0
/**
 * The words of Outledger: messages, errors and what every part of it shares. Most users need {@link
 * io.outledger.Outbox} and {@link io.outledger.Message} alone.
 */
@NullMarked
package io.outledger;

import org.jspecify.annotations.NullMarked;
