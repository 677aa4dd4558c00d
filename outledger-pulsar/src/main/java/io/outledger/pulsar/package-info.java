// SPDX-License-Identifier: Apache-2.0

/**
 * Apache Pulsar: {@link io.outledger.pulsar.PulsarPublisher} publishes messages to topics as
 * CloudEvents, {@link io.outledger.pulsar.PulsarReceiver} receives them.
 */
@NullMarked
package io.outledger.pulsar;

import org.jspecify.annotations.NullMarked;
