// SPDX-License-Identifier: Apache-2.0

/**
 * Jakarta Messaging: {@link io.outledger.jms.JmsPublisher} sends messages as CloudEvents to queues
 * or topics, and {@link io.outledger.jms.JmsReceiver} receives them.
 */
@NullMarked
package io.outledger.jms;

import org.jspecify.annotations.NullMarked;
