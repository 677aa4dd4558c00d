// SPDX-License-Identifier: Apache-2.0
/**
 * Messages as <a href="https://cloudevents.io">CloudEvents 1.0</a> in binary mode, for any broker:
 * the payload travels as it is, and the event's attributes travel as headers. This package serves
 * those who write a publisher or a receiver; applications need none of it.
 *
 * <p>A publisher writes headers with a {@link io.outledger.cloudevents.CloudEventWriter}. A
 * receiver collects the headers it gets in {@link io.outledger.cloudevents.ReceivedHeaders}, and a
 * {@link io.outledger.cloudevents.CloudEventReader} makes a message of them. Both take the prefix
 * that the protocol's binding puts before the names of attributes, and the {@link
 * io.outledger.cloudevents.ReservedHeaders} to which the protocol's servers give a meaning. The
 * section "Metadata Headers" of each binding also says what else differs:
 *
 * <table>
 *   <caption>Protocol bindings, binary mode</caption>
 *   <tr><th>protocol</th><th>prefix</th><th>left to the publisher and receiver</th></tr>
 *   <tr><td>Kafka</td><td>{@code ce_}</td><td>nothing</td></tr>
 *   <tr><td>HTTP</td><td>{@code ce-}</td><td>percent-encoded values; names ignore case</td></tr>
 *   <tr><td>NATS (draft 1.0.3)</td><td>{@code ce-}</td><td>percent-encoded values; names ignore
 *       case; the content type is {@code ce-datacontenttype}</td></tr>
 *   <tr><td>AMQP 1.0</td><td>{@code cloudEvents_}</td><td>{@code cloudEvents:} is read, too; values
 *       may be typed; the content type is a property</td></tr>
 *   <tr><td>MQTT 5</td><td>none</td><td>the content type is a property</td></tr>
 * </table>
 */
@NullMarked
package io.outledger.cloudevents;

import org.jspecify.annotations.NullMarked;
