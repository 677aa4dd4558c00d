// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot.test;

import io.outledger.event.PayloadSerializer;
import io.outledger.spring.boot.EventTypesCustomizer;
import java.io.IOException;
import org.springframework.boot.context.TypeExcludeFilter;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.filter.AssignableTypeFilter;
import org.springframework.core.type.filter.TypeFilter;

/** Leaves out all components, but for those that say how events are written. */
final class SliceFilter extends TypeExcludeFilter {

  private final TypeFilter types = new AssignableTypeFilter(EventTypesCustomizer.class);
  private final TypeFilter serializers = new AssignableTypeFilter(PayloadSerializer.class);

  @Override
  public boolean match(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
    return !types.match(reader, factory) && !serializers.match(reader, factory);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SliceFilter;
  }

  @Override
  public int hashCode() {
    return SliceFilter.class.hashCode();
  }
}
