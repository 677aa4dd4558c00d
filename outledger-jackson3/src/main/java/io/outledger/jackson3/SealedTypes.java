// SPDX-License-Identifier: Apache-2.0
package io.outledger.jackson3;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.NopAnnotationIntrospector;
import tools.jackson.databind.jsontype.NamedType;
import tools.jackson.databind.module.SimpleModule;

/**
 * The subtypes of a sealed type are those that it permits, unless an annotation lists them: a
 * closed set, of which data chooses one by its name.
 */
final class SealedTypes extends SimpleModule {

  private static final long serialVersionUID = 1L;

  @Override
  public void setupModule(SetupContext context) {
    super.setupModule(context);
    context.appendAnnotationIntrospector(new Permitted());
  }

  private static final class Permitted extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    @Override
    public @Nullable List<NamedType> findSubtypes(MapperConfig<?> config, Annotated annotated) {
      Class<?> type = annotated.getRawType();
      return type.isSealed() && !annotated.hasAnnotation(JsonSubTypes.class)
          ? Stream.of(type.getPermittedSubclasses()).map(NamedType::new).toList()
          : null;
    }
  }
}
