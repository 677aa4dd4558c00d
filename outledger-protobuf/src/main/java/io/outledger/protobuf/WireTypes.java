// SPDX-License-Identifier: Apache-2.0
package io.outledger.protobuf;

import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * Which types read what another one has written, each value as it was. That is less than parsers
 * accept: an {@code int32} parses what an {@code int64} has written, and cuts it off.
 */
final class WireTypes {

  private WireTypes() {}

  /** Returns whether every value of the older type is the same value of the newer one. */
  static boolean reads(FieldDescriptor.Type older, FieldDescriptor.Type newer) {
    return older == newer
        || switch (older) {
          case BOOL ->
              switch (newer) {
                case INT32, INT64, UINT32, UINT64 -> true;
                default -> false;
              };
          case UINT32 ->
              newer == FieldDescriptor.Type.UINT64 || newer == FieldDescriptor.Type.INT64;
          case INT32 -> newer == FieldDescriptor.Type.INT64;
          case SINT32 -> newer == FieldDescriptor.Type.SINT64;
          case ENUM -> newer == FieldDescriptor.Type.INT32 || newer == FieldDescriptor.Type.INT64;
          case STRING -> newer == FieldDescriptor.Type.BYTES;
          default -> false;
        };
  }
}
