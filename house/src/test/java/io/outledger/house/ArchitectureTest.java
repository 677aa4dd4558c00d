// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
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

/** The floors of the house, and what nobody may call, read off the compiled product. */
class ArchitectureTest {
  private static final String[] ABOVE_CORE = {
    "io.outledger.testing..",
    "io.outledger.junit..",
    "io.outledger.contracts..",
    "io.outledger.jackson..",
    "io.outledger.jdbc..",
    "io.outledger.jpa..",
    "io.outledger.postgresql..",
    "io.outledger.h2..",
    "io.outledger.kafka..",
    "io.outledger.nats..",
    "io.outledger.rabbitmq..",
    "io.outledger.amqp..",
    "io.outledger.jms..",
    "io.outledger.mail..",
    "io.outledger.micrometer..",
    "io.outledger.redis..",
    "io.outledger.mqtt..",
    "io.outledger.pulsar..",
    "io.outledger.sqs..",
    "io.outledger.modulith..",
    "io.outledger.spring..",
    "io.outledger.webhook.."
  };
  private static final DescribedPredicate<JavaClass> CORE =
      resideInAnyPackage("io.outledger..").and(not(resideInAnyPackage(ABOVE_CORE))).as("the core");
  private static final String[] FOUNDATION = {"java..", "org.jspecify.annotations.."};
  private static final String POSTGRES_DRIVER = "io.outledger.postgresql.PostgresDriver";

  /** The one place that reads the system's clocks. */
  private static final DescribedPredicate<JavaClass> SYSTEM_TIME =
      resideInAnyPackage("io.outledger.time").and(simpleName("SystemTime"));

  private static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("io/outledger/house/"))
          .withImportOption(location -> !location.contains("io/outledger/servers/"))
          .importPackages("io.outledger");

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

  @Test
  void coreStandsOnTheJdkAndTheLoggingApiAlone() {
    classes()
        .that(CORE)
        .should()
        .onlyDependOnClassesThat(CORE.or(resideInAnyPackage(FOUNDATION)).or(logging()))
        .check(PRODUCT);
  }

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

  /** Their types are public for the relay's packages alone. */
  @Test
  void internalPartsOfTheRelayAreUsedByTheRelayAlone() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.outledger.relay..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.outledger.relay.reading..", "io.outledger.relay.route..")
                .or(
                    resideInAnyPackage("io.outledger.relay.context..")
                        .and(not(simpleName("Wakeup")))
                        .and(not(simpleName("ReadAhead")))))
        .check(PRODUCT);
  }

  @Test
  void testingStandsOnCore() {
    floor("io.outledger.testing..", CORE);
  }

  @Test
  void contractsStandOnCoreJdbcAndTesting() {
    floor(
        "io.outledger.contracts..",
        CORE.or(
            resideInAnyPackage(
                "io.outledger.testing..",
                "io.outledger.jdbc..",
                "javax.sql..",
                "org.junit.jupiter..",
                "org.assertj..")));
  }

  @Test
  void junitStandsOnJdbcAndTesting() {
    floor(
        "io.outledger.junit..",
        CORE.or(
            resideInAnyPackage(
                "io.outledger.testing..",
                "io.outledger.jdbc..",
                "javax.sql..",
                "org.junit..",
                "org.assertj..")));
  }

  @Test
  void jacksonStandsOnCore() {
    floor("io.outledger.jackson..", CORE.or(resideInAnyPackage("com.fasterxml.jackson..")));
  }

  @Test
  void jdbcStandsOnCoreAndKnowsNoDatabase() {
    floor("io.outledger.jdbc..", CORE.or(resideInAnyPackage("javax.sql..")));
  }

  @Test
  void postgresqlStandsOnJdbcAndNeedsNoDriver() {
    DescribedPredicate<JavaClass> below =
        CORE.or(
            resideInAnyPackage("javax.sql..", "io.outledger.jdbc..", "io.outledger.postgresql.."));
    DescribedPredicate<JavaClass> asksTheDriver = // which may be absent
        describe("PostgresDriver", type -> type.getName().startsWith(POSTGRES_DRIVER));
    floor(resideInAnyPackage("io.outledger.postgresql..").and(not(asksTheDriver)), below);
    floor(asksTheDriver, below.or(resideInAnyPackage("org.postgresql..")));
  }

  /** The SQL is hidden: no other module names a class of this one but its door. */
  @Test
  void postgresqlHasOneDoor() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.outledger.postgresql..")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.outledger.postgresql..").and(not(simpleName("PostgreSql"))))
        .check(PRODUCT);
  }

  @Test
  void h2StandsOnJdbcAndNeedsNoDriver() {
    floor(
        "io.outledger.h2..",
        CORE.or(
            resideInAnyPackage(
                "javax.sql..", "org.slf4j..", "io.outledger.jdbc..", "io.outledger.h2..")));
  }

  @Test
  void h2HasOneDoor() {
    noClasses()
        .that()
        .resideOutsideOfPackage("io.outledger.h2..")
        .should()
        .dependOnClassesThat(resideInAnyPackage("io.outledger.h2..").and(not(simpleName("H2"))))
        .check(PRODUCT);
  }

  /** Only a database's own module writes SQL; one class runs the texts that databases bring. */
  @Test
  void sqlIsWrittenByDatabasesAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.outledger.jdbc..")
        .and(not(simpleName("ReceivedTableBySql").or(simpleName("DeclarationTable"))))
        .should()
        .callMethod(Connection.class, "prepareStatement", String.class)
        .orShould()
        .callMethod(Connection.class, "createStatement")
        .check(PRODUCT);
  }

  @Test
  void jpaStandsOnJdbcAndHibernateAlone() {
    floor(
        "io.outledger.jpa..",
        CORE.or(
                resideInAnyPackage(
                    "io.outledger.jdbc..", "jakarta.persistence..", "org.hibernate.."))
            .or(resideInAnyPackage("jakarta.transaction..")));
  }

  @Test
  void natsStandsOnCore() {
    floor("io.outledger.nats..", CORE.or(resideInAnyPackage("io.nats..", "javax.net.ssl..")));
  }

  @Test
  void redisMqttAndPulsarStandOnCore() {
    floor("io.outledger.redis..", CORE.or(resideInAnyPackage("io.lettuce..")));
    floor("io.outledger.mqtt..", CORE.or(resideInAnyPackage("com.hivemq..")));
    floor("io.outledger.pulsar..", CORE.or(resideInAnyPackage("org.apache.pulsar.client.api..")));
  }

  @Test
  void sqsStandsOnCore() {
    floor("io.outledger.sqs..", CORE.or(resideInAnyPackage("software.amazon.awssdk..")));
  }

  @Test
  void kafkaStandsOnCore() {
    floor("io.outledger.kafka..", CORE.or(resideInAnyPackage("org.apache.kafka..")));
  }

  @Test
  void rabbitMqStandsOnCore() {
    floor("io.outledger.rabbitmq..", CORE.or(resideInAnyPackage("com.rabbitmq..")));
  }

  @Test
  void amqpStandsOnCore() {
    floor("io.outledger.amqp..", CORE.or(logging()).or(resideInAnyPackage("org.apache.qpid..")));
  }

  @Test
  void jmsStandsOnCoreAndOnNoProvider() {
    floor("io.outledger.jms..", CORE.or(logging()).or(resideInAnyPackage("jakarta.jms..")));
  }

  @Test
  void mailStandsOnCore() {
    floor(
        "io.outledger.mail..",
        CORE.or(resideInAnyPackage("javax.net..", "jakarta.mail..", "org.eclipse.angus..")));
  }

  /**
   * Its own classes are looked at, and Spring's by their names: they are not on this class path.
   */
  @Test
  void modulithStandsOnTheSetUpForSpringBoot() {
    floor(
        "io.outledger.modulith..",
        CORE.or(resideInAnyPackage("io.outledger.spring..", "org.springframework..")));
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

  private static void floor(String packages, DescribedPredicate<JavaClass> below) {
    DescribedPredicate<JavaClass> own = resideInAnyPackage(packages);
    floor(own, below.or(own));
  }

  private static void floor(
      DescribedPredicate<JavaClass> classes, DescribedPredicate<JavaClass> below) {
    classes()
        .that(classes)
        .should()
        .onlyDependOnClassesThat(below.or(resideInAnyPackage(FOUNDATION)).or(logging()))
        .check(PRODUCT);
  }

  private static DescribedPredicate<JavaClass> logging() {
    return resideInAnyPackage("org.slf4j..");
  }
}
