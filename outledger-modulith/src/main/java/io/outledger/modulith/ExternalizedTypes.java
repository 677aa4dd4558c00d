// SPDX-License-Identifier: Apache-2.0
package io.outledger.modulith;

import io.outledger.ConfigurationException;
import io.outledger.ErrorCode;
import io.outledger.event.EventType;
import io.outledger.event.EventTypes;
import io.outledger.spring.boot.EventTypesCustomizer;
import io.outledger.spring.boot.OutboxEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;

/**
 * Registers the classes that are annotated as externalised in the application's packages, and that
 * nobody else registers. The name of such a type is the target of its annotation, where no other
 * class has the same; a class without such a target has to be named, and stops the start.
 */
final class ExternalizedTypes implements EventTypesCustomizer {

  private final BeanFactory beans;
  private final ModulithRouting routing;

  ExternalizedTypes(BeanFactory beans, ModulithRouting routing) {
    this.beans = beans;
    this.routing = routing;
  }

  @Override
  public void customize(EventTypes.Builder types) {
    List<ExternalizedClass> all =
        AutoConfigurationPackages.has(beans)
            ? ExternalizedClass.in(AutoConfigurationPackages.get(beans))
            : List.of();
    Map<String, List<String>> byTarget = new TreeMap<>();
    for (ExternalizedClass each : all) {
      each.target()
          .ifPresent(
              target ->
                  byTarget.computeIfAbsent(target, none -> new ArrayList<>()).add(each.name()));
    }
    List<String> problems = new ArrayList<>();
    for (ExternalizedClass each : all) {
      if (!isRegistered(each, types)) {
        each.target()
            .filter(target -> byTarget.getOrDefault(target, List.of()).size() == 1)
            .ifPresentOrElse(
                target -> register(types, each, target), () -> problems.add(nameless(each)));
      }
    }
    if (!problems.isEmpty()) {
      throw new ConfigurationException(
          ErrorCode.UNREGISTERED_TYPE,
          "Spring Modulith externalises events whose type has no name: "
              + String.join("; ", problems)
              + ". The name is stored and sent, and must never change, so it is not made from the"
              + " class's. Modulith's target and key still decide where the events go");
    }
  }

  private static boolean isRegistered(ExternalizedClass each, EventTypes.Builder types) {
    return each.type().isAnnotationPresent(OutboxEvent.class) || types.isRegistered(each.type());
  }

  private void register(EventTypes.Builder types, ExternalizedClass each, String target) {
    types.register(each.type(), type -> describe(type, each, target));
  }

  private void describe(EventType.Builder<?> type, ExternalizedClass each, String target) {
    type.name(target).topic(target);
    if (each.hasKey()) {
      type.key(routing::keyOf);
    } else {
      type.keyless();
    }
  }

  private static String nameless(ExternalizedClass each) {
    return each.name()
        + each.target()
            .map(target -> " shares the target " + target + " with others")
            .orElse(" has no target, or one that is an expression");
  }
}
