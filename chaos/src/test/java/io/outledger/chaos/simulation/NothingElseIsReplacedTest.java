// SPDX-License-Identifier: Apache-2.0
package io.outledger.chaos.simulation;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvent;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.outledger.Outbox;
import io.outledger.inbox.InboxStore;
import io.outledger.publish.Publisher;
import io.outledger.publish.PublisherClient;
import io.outledger.relay.Relay;
import io.outledger.relay.listener.RelayListener;
import io.outledger.store.RelayStore;
import io.outledger.time.TimeSource;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The simulation runs the product as it is: only store, broker, clock and randomness are its own. A
 * relay that was changed for the simulation would prove nothing about the one that is shipped.
 */
class NothingElseIsReplacedTest {

  /**
   * A listener only listens, and an outbox only writes to the model's ledger; chance is the JDK's
   * {@code RandomGenerator}.
   */
  private static final Set<String> REPLACED =
      Set.of(
          RelayStore.class.getName(),
          InboxStore.class.getName(),
          Publisher.class.getName(),
          PublisherClient.class.getName(),
          TimeSource.class.getName(),
          Outbox.class.getName(),
          RelayListener.class.getName());

  /**
   * The databases of brokers' receivers and of sagas in tests, which the simulation has none of.
   */
  private static final String RECEIVERS = ".*\\.InMemory(ReceiverStore|Sagas)(\\$.*)?";

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.outledger");

  /** Where the shipped relay's classes lie. */
  private static final String CORE = codeSource(Relay.class);

  @Test
  void simulationAndItsModelStoreImplementTheseInterfacesAlone() {
    classes()
        .that()
        .resideInAnyPackage("io.outledger.chaos.simulation..", "io.outledger.testing..")
        .and()
        .haveNameNotMatching(RECEIVERS)
        .should(implementNothingOfCoreBut(REPLACED))
        .check(ALL);
  }

  @Test
  void simulationHasNoReceiversDatabase() {
    noClasses()
        .that()
        .resideInAPackage("io.outledger.chaos.simulation..")
        .should()
        .dependOnClassesThat()
        .haveNameMatching(RECEIVERS)
        .check(ALL);
  }

  @Test
  void everyClassOfTheCoreIsTheShippedOne() {
    classes().that(resideInAPackageOfCore()).should(comeFrom(CORE)).check(ALL);
  }

  private static ArchCondition<JavaClass> implementNothingOfCoreBut(Set<String> allowed) {
    return new ArchCondition<>("implement nothing of the core but " + allowed) {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        item.getAllRawSuperclasses().stream()
            .filter(NothingElseIsReplacedTest::isCore)
            .forEach(other -> events.add(violated(item, item + " extends " + other)));
        item.getAllRawInterfaces().stream()
            .filter(other -> isCore(other) && !allowed.contains(other.getName()))
            .forEach(other -> events.add(violated(item, item + " implements " + other)));
      }
    };
  }

  private static ArchCondition<JavaClass> comeFrom(String place) {
    return new ArchCondition<>("come from " + place) {
      @Override
      public void check(JavaClass item, ConditionEvents events) {
        String from = item.getSource().map(source -> source.getUri().toString()).orElse("nowhere");
        if (!from.contains(place)) {
          events.add(violated(item, item + " comes from " + from));
        }
      }
    };
  }

  private static DescribedPredicate<JavaClass> resideInAPackageOfCore() {
    Set<String> packages =
        ALL.stream()
            .filter(NothingElseIsReplacedTest::isCore)
            .map(JavaClass::getPackageName)
            .collect(java.util.stream.Collectors.toSet());
    return DescribedPredicate.describe(
        "reside in a package of the core", item -> packages.contains(item.getPackageName()));
  }

  private static boolean isCore(JavaClass item) {
    return item.getSource().map(source -> source.getUri().toString().contains(CORE)).orElse(false);
  }

  private static ConditionEvent violated(JavaClass item, String message) {
    return SimpleConditionEvent.violated(item, message);
  }

  private static String codeSource(Class<?> type) {
    return type.getProtectionDomain().getCodeSource().getLocation().getPath();
  }
}
