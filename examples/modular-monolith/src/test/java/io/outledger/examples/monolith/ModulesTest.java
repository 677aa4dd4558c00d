// SPDX-License-Identifier: Apache-2.0
package io.outledger.examples.monolith;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Modules know the events, and nothing else of one another. */
class ModulesTest {

  @Test
  void modulesTalkByHandlersOnly() {
    slices()
        .matching("io.outledger.examples.monolith.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(
            DescribedPredicate.alwaysTrue(),
            JavaClass.Predicates.resideInAPackage("io.outledger.examples.monolith.events"))
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.outledger.examples.monolith"));
  }
}
