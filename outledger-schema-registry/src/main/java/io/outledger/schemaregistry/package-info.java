// SPDX-License-Identifier: Apache-2.0
/**
 * Schema registries with Confluent's HTTP API, and the wire format by whose ids consumers find the
 * schema of a payload. Users need {@link io.outledger.schemaregistry.SchemaRegistry} and {@link
 * io.outledger.schemaregistry.WireFormatPublisher}; the others are for those who write serializers.
 */
@NullMarked
package io.outledger.schemaregistry;

import org.jspecify.annotations.NullMarked;
