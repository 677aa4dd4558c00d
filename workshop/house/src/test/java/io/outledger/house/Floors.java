// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/** The compiled product, its floors, and how a rule says what may stand on what. */
final class Floors {
  private static final String[] ABOVE_CORE = {
    "io.outledger.testing..",
    "io.outledger.junit..",
    "io.outledger.contracts..",
    "io.outledger.[jackson|jackson3|schemaregistry|jsonschema|avro|protobuf]..",
    "io.outledger.jdbc..",
    "io.outledger.jpa..",
    "io.outledger.postgresql..",
    "io.outledger.h2..",
    "io.outledger.mysql..",
    "io.outledger.sqlite..",
    "io.outledger.kafka..",
    "io.outledger.connect..",
    "io.outledger.nats..",
    "io.outledger.rabbitmq..",
    "io.outledger.amqp..",
    "io.outledger.jms..",
    "io.outledger.mail..",
    "io.outledger.micrometer..",
    "io.outledger.flow..",
    "io.outledger.redis..",
    "io.outledger.mqtt..",
    "io.outledger.pulsar..",
    "io.outledger.sqs..",
    "io.outledger.modulith..",
    "io.outledger.spring..",
    "io.outledger.webhook.."
  };
  static final DescribedPredicate<JavaClass> CORE =
      resideInAnyPackage("io.outledger..").and(not(resideInAnyPackage(ABOVE_CORE))).as("the core");
  private static final String[] FOUNDATION = {"java..", "org.jspecify.annotations.."};

  /** What we compile, without what is only for our own use. */
  static final JavaClasses PRODUCT =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .withImportOption(location -> !location.contains("io/outledger/house/"))
          .withImportOption(location -> !location.contains("io/outledger/servers/"))
          .importPackages("io.outledger");

  private Floors() {}

  static void usedOnlyBy(DescribedPredicate<JavaClass> parts, String... packages) {
    noClasses()
        .that()
        .resideOutsideOfPackages(packages)
        .should()
        .dependOnClassesThat(parts)
        .check(PRODUCT);
  }

  static void floor(String packages, DescribedPredicate<JavaClass> below) {
    DescribedPredicate<JavaClass> own = resideInAnyPackage(packages);
    floor(own, below.or(own));
  }

  static void floor(DescribedPredicate<JavaClass> classes, DescribedPredicate<JavaClass> below) {
    classes()
        .that(classes)
        .should()
        .onlyDependOnClassesThat(below.or(resideInAnyPackage(FOUNDATION)).or(logging()))
        .check(PRODUCT);
  }

  static DescribedPredicate<JavaClass> logging() {
    return resideInAnyPackage("org.slf4j..");
  }
}
