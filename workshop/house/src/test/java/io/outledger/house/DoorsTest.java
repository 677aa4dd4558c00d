// SPDX-License-Identifier: Apache-2.0
package io.outledger.house;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.simpleName;
import static io.outledger.house.Floors.CORE;
import static io.outledger.house.Floors.PRODUCT;
import static io.outledger.house.Floors.usedOnlyBy;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.outledger.parking.Breaker;
import io.outledger.relay.options.Backoff;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The doors of the core: which packages are a user's, which an implementer's, which closed. */
class DoorsTest {

  private static final String ROOT = "io.outledger";

  /** What applications use. */
  private static final Set<String> USERS =
      Set.of(
          ROOT,
          ROOT + ".event",
          ROOT + ".inbox",
          ROOT + ".relay",
          ROOT + ".relay.handler",
          ROOT + ".relay.listener",
          ROOT + ".relay.options",
          ROOT + ".saga",
          ROOT + ".time");

  /** What those use who write a publisher, a receiver or a database's module. */
  private static final Set<String> IMPLEMENTERS =
      Set.of(
          ROOT + ".cloudevents",
          ROOT + ".frontier",
          ROOT + ".publish",
          ROOT + ".receive",
          ROOT + ".store");

  /** What our own modules use, and nobody is promised. */
  private static final Set<String> OUR_OWN = Set.of(ROOT + ".log");

  /** Public for other packages of the core alone, but for {@link #EXCEPTIONS}. */
  private static final Set<String> CLOSED =
      Set.of(
          ROOT + ".parking",
          ROOT + ".relay.context",
          ROOT + ".relay.reading",
          ROOT + ".relay.route");

  /** What those who run a relay hand to it; the package tells. */
  private static final DescribedPredicate<JavaClass> EXCEPTIONS =
      resideInAnyPackage(ROOT + ".relay.context")
          .and(simpleName("Wakeup").or(simpleName("ReadAhead")));

  private static final DescribedPredicate<JavaClass> INNER =
      resideInAnyPackage(CLOSED.toArray(String[]::new)).and(not(EXCEPTIONS));

  @Test
  void eachPackageOfTheCoreIsSomebodys() {
    Set<String> named =
        Stream.of(USERS, IMPLEMENTERS, OUR_OWN, CLOSED)
            .flatMap(Set::stream)
            .collect(Collectors.toCollection(TreeSet::new));
    Set<String> there =
        PRODUCT.stream()
            .filter(CORE)
            .map(JavaClass::getPackageName)
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(there).isEqualTo(named);
  }

  @Test
  void closedPackagesAreUsedByTheCoreAlone() {
    usedOnlyBy(
        INNER.and(not(resideInAnyPackage(ROOT + ".parking"))), ROOT + ".relay", ROOT + ".relay..");
    usedOnlyBy(
        resideInAnyPackage(ROOT + ".parking"),
        ROOT + ".relay..",
        ROOT + ".receive..",
        ROOT + ".parking..");
  }

  /** Else somebody outside would hold what only the core may change. */
  @Test
  void openPackagesExposeNothingOfClosedOnes() {
    assertThat(leaks(Stream.concat(USERS.stream(), IMPLEMENTERS.stream()), INNER)).isEmpty();
  }

  @Test
  void usersPackagesExposeNothingOfOurOwn() {
    assertThat(leaks(USERS.stream(), resideInAnyPackage(OUR_OWN.toArray(String[]::new)))).isEmpty();
  }

  private static List<String> leaks(Stream<String> packages, DescribedPredicate<JavaClass> what) {
    Set<String> open = packages.collect(Collectors.toSet());
    return PRODUCT.stream()
        .filter(type -> open.contains(type.getPackageName()))
        .flatMap(type -> leaks(type, what))
        .sorted()
        .toList();
  }

  /** What a type's public and protected signatures, and those of its kind, name. */
  private static Stream<String> leaks(JavaClass type, DescribedPredicate<JavaClass> what) {
    if (!isOpen(type)) {
      return Stream.of();
    }
    Stream<String> kinds =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
            .filter(kind -> names(kind, what))
            .map(kind -> type.getName() + " is a " + kind.getName());
    Stream<String> members =
        type.getMembers().stream()
            .filter(DoorsTest::isOpen)
            .filter(member -> signature(member).anyMatch(each -> names(each, what)))
            .map(JavaMember::getFullName);
    return Stream.concat(kinds, members);
  }

  private static boolean isOpen(JavaClass type) {
    return type.getModifiers().contains(JavaModifier.PUBLIC)
        && type.getEnclosingClass().map(DoorsTest::isOpen).orElse(true);
  }

  private static boolean isOpen(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    return !modifiers.contains(JavaModifier.SYNTHETIC)
        && (modifiers.contains(JavaModifier.PUBLIC) || modifiers.contains(JavaModifier.PROTECTED));
  }

  private static Stream<JavaType> signature(JavaMember member) {
    return member instanceof JavaCodeUnit code
        ? Stream.concat(
            Stream.of(code.getReturnType()),
            Stream.concat(code.getParameterTypes().stream(), code.getExceptionTypes().stream()))
        : Stream.of(((JavaField) member).getType());
  }

  private static boolean names(JavaType type, DescribedPredicate<JavaClass> what) {
    return type.getAllInvolvedRawTypes().stream().anyMatch(what);
  }

  /** Leaks in each way that a signature has. */
  @SuppressWarnings("unused") // its class file is read
  public abstract static class Sample {

    public final List<Breaker> inAField = List.of();

    protected Sample(Breaker inAConstructor) {}

    public abstract Breaker returned();

    protected abstract void taken(Set<? extends Breaker> all);

    abstract Breaker forItsPackage();

    public abstract Backoff harmless();
  }

  @Test
  void eachWayToExposeATypeIsSeen() {
    JavaClass sample = new ClassFileImporter().importClass(Sample.class);
    assertThat(
            sample.getMembers().stream()
                .filter(DoorsTest::isOpen)
                .filter(member -> signature(member).anyMatch(each -> names(each, INNER)))
                .map(JavaMember::getName))
        .containsExactlyInAnyOrder("inAField", "<init>", "returned", "taken");
  }
}
