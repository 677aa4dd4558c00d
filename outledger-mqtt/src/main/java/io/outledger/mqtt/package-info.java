// SPDX-License-Identifier: Apache-2.0

/**
 * MQTT 5: {@link io.outledger.mqtt.MqttPublisher} publishes messages to topics of a broker, and
 * {@link io.outledger.mqtt.MqttReceiver} receives them in a session that outlives a connection.
 */
@NullMarked
package io.outledger.mqtt;

import org.jspecify.annotations.NullMarked;
