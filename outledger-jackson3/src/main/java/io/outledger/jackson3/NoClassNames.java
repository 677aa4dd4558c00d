// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import tools.jackson.databind.DatabindContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.jsontype.PolymorphicTypeValidator;

/**
 * Denies every class that data names, before it is loaded. Subtypes by logical name ({@code
 * JsonTypeInfo.Id.NAME}) are not asked for here, and work.
 */
final class NoClassNames extends PolymorphicTypeValidator.Base {

  private static final long serialVersionUID = 1L;

  @Override
  public Validity validateBaseType(DatabindContext context, JavaType baseType) {
    return Validity.DENIED;
  }

  @Override
  public Validity validateSubClassName(
      DatabindContext context, JavaType baseType, String subClassName) {
    return Validity.DENIED;
  }
}
