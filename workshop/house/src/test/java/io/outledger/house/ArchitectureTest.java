// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static io.outledger.house.Floors.CORE;
import static io.outledger.house.Floors.PRODUCT;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.io.ObjectInputStream;
import java.lang.invoke.MethodHandles;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Instant;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.junit.jupiter.api.Test;

/** What nobody may need and nobody may call, read off the compiled product. */
class ArchitectureTest {
  /** The one place that reads the system's clocks. */
  private static final DescribedPredicate<JavaClass> SYSTEM_TIME =
      resideInAnyPackage("io.outledger.time").and(simpleName("SystemTime"));

  private static final Set<String> LOADING_METHODS =
      Set.of("forName", "loadClass", "findClass", "defineClass", "findSystemClass");

  /** Whatever the owner is called in the code that calls, its own type or a subtype of it. */
  private static final DescribedPredicate<JavaMethodCall> LOADS_A_CLASS =
      DescribedPredicate.describe(
          "loads a class by name",
          call ->
              LOADING_METHODS.contains(call.getName())
                  && (call.getTargetOwner().isAssignableTo(Class.class)
                      || call.getTargetOwner().isAssignableTo(ClassLoader.class)
                      || call.getTargetOwner().isAssignableTo(MethodHandles.Lookup.class)));

  /** JNDI and XMLDecoder are whole packages: nothing of ours has business there. */
  private static final ArchRule NO_LOADING =
      noClasses()
          .should()
          .callMethodWhere(LOADS_A_CLASS)
          .orShould()
          .dependOnClassesThat()
          .areAssignableTo(ObjectInputStream.class)
          .orShould()
          .dependOnClassesThat()
          .resideInAnyPackage("javax.naming..", "java.beans..");

  /** The relay's parts are its leaves: none needs the relay, or another that needs it. */
  @Test
  void partsOfTheRelayDoNotNeedTheRelay() {
    noClasses()
        .that()
        .resideInAPackage("io.outledger.relay.*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("io.outledger.relay")
        .check(PRODUCT);
    slices().matching("io.outledger.relay.(*)..").should().beFreeOfCycles().check(PRODUCT);
  }

  /** Each package is a slice of its own, so that a reader always finds where to begin. */
  @Test
  void packagesDoNotNeedOneAnotherInACircle() {
    slices().matching("io.outledger.(**)").should().beFreeOfCycles().check(PRODUCT);
  }

  /** Only a database's own module writes SQL, but for what is told once for all of them. */
  @Test
  void sqlIsWrittenByDatabasesAlone() {
    noClasses()
        .that(resideInAnyPackage("io.outledger.jdbc.."))
        .and()
        .resideOutsideOfPackages("io.outledger.jdbc.sql..", "io.outledger.jdbc.reading..")
        .and()
        .haveNameNotMatching(".*\\.(\\w+(Table|Rows|Notes|Names|Attempts|BySql)|InboxMemory|Query)")
        .should()
        .callMethod(Connection.class, "prepareStatement", String.class)
        .orShould()
        .callMethod(Connection.class, "createStatement")
        .orShould()
        .dependOnClassesThat(resideInAnyPackage("io.outledger.jdbc.sql.."))
        .check(PRODUCT);
  }

  @Test
  void timeIsHandedIn() {
    noClasses()
        .that(not(SYSTEM_TIME))
        .should()
        .callMethod(Instant.class, "now")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(Clock.class, "systemUTC")
        .orShould()
        .callMethod(Clock.class, "systemDefaultZone")
        .orShould()
        .callMethod(Thread.class, "sleep", long.class)
        .check(PRODUCT);
  }

  /** The contract suites are tests: they need ids that no other run has used. */
  @Test
  void chanceIsHandedIn() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.outledger.contracts..")
        .should()
        .callConstructor(Random.class)
        .orShould()
        .callMethod(UUID.class, "randomUUID")
        .orShould()
        .callMethod(ThreadLocalRandom.class, "current")
        .orShould()
        .callMethod(Math.class, "random")
        .check(PRODUCT);
  }

  @Test
  void noClassIsLoadedByNameAndNoObjectIsMadeOfBytes() {
    NO_LOADING.check(PRODUCT);
  }

  /**
   * A rule that finds nothing may be one that cannot: each sample breaks it in a way of its own.
   */
  @Test
  void eachWayToLoadAClassByNameIsSeen() {
    for (Class<?> sample : LoadingSamples.ALL) {
      JavaClasses one = new ClassFileImporter().importClasses(sample);
      assertThat(NO_LOADING.evaluate(one).hasViolation()).as(sample.getSimpleName()).isTrue();
    }
  }

  @Test
  void nobodyExitsOrPrints() {
    noClasses()
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .accessField(System.class, "out")
        .orShould()
        .accessField(System.class, "err")
        .check(PRODUCT);
  }

  @Test
  void sqlExceptionsStayOutOfTheCore() {
    methods()
        .that()
        .areDeclaredInClassesThat(CORE)
        .and()
        .arePublic()
        .should()
        .notDeclareThrowableOfType(SQLException.class)
        .check(PRODUCT);
  }
}
