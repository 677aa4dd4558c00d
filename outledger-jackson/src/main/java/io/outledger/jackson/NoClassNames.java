// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson;

import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.jsontype.PolymorphicTypeValidator;

/**
 * Denies every class that data names, before it is loaded. Subtypes by logical name ({@code
 * JsonTypeInfo.Id.NAME}) are not asked for here, and work.
 */
final class NoClassNames extends PolymorphicTypeValidator.Base {

  private static final long serialVersionUID = 1L;

  @Override
  public Validity validateBaseType(MapperConfig<?> config, JavaType baseType) {
    return Validity.DENIED;
  }

  @Override
  public Validity validateSubClassName(
      MapperConfig<?> config, JavaType baseType, String subClassName) {
    return Validity.DENIED;
  }
}
