// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/** Says which property of Outledger was misspelt, and what was probably meant. */
class UnknownPropertyFailureAnalyzer
    extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> implements Ordered {

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, UnboundConfigurationPropertiesException cause) {
    Set<ConfigurationProperty> unbound = cause.getUnboundProperties();
    List<String> lines = new ArrayList<>();
    for (ConfigurationProperty property : unbound) {
      String name = property.getName().toString();
      if (!name.startsWith("outledger.")) {
        return null;
      }
      lines.add(
          "    %s (%s): did you mean %s?"
              .formatted(name, property.getOrigin(), PropertyNames.meant(name)));
    }
    lines.sort(Comparator.naturalOrder());
    return new FailureAnalysis(
        "Outledger has no such properties:\n" + String.join("\n", lines),
        "Correct or remove them. There are: " + String.join(", ", PropertyNames.all()) + '.',
        cause);
  }

  /** Before Boot's own, which knows nothing of what was meant. */
  @Override
  public int getOrder() {
    return HIGHEST_PRECEDENCE;
  }
}
