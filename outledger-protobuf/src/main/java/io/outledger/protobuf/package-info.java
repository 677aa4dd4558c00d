// SPDX-License-Identifier: Apache-2.0
/**
 * Payloads in Protocol Buffers. Users need {@link io.outledger.protobuf.ProtobufSerializer} alone.
 */
@NullMarked
package io.outledger.protobuf;

import org.jspecify.annotations.NullMarked;
