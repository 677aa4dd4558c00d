// SPDX-License-Identifier: Apache-2.0
package io.outledger.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.invoke.MethodHandles;
import org.junit.jupiter.api.Test;
import org.springframework.asm.ClassWriter;
import org.springframework.asm.MethodVisitor;
import org.springframework.asm.Opcodes;

/** Where the key of an event is found. */
class KeyPropertyTest {

  record OfARecord(String flatId) {}

  /** Has what is usual before records. */
  static final class OfABean {

    String getFlatId() {
      return "f-1";
    }
  }

  @Test
  void theAccessorOfARecordOrABeanIsFound() {
    assertThat(KeyProperty.find(OfARecord.class, "flatId").orElseThrow().of(new OfARecord("f-1")))
        .isEqualTo("f-1");
    assertThat(KeyProperty.find(OfABean.class, "flatId").orElseThrow().of(new OfABean()))
        .isEqualTo("f-1");
    assertThat(KeyProperty.find(OfABean.class, "flat")).isEmpty();
  }

  /** Its getter has a name that Java cannot write. */
  @Test
  void aValueClassOfKotlinIsAKey() throws Exception {
    Class<?> event = ofKotlin("FlatRented", "getFlatId-PxCx9rQ");
    KeyProperty key = KeyProperty.find(event, "flatId").orElseThrow();
    assertThat(key.problem()).isEmpty();
    assertThat(key.of(event.getDeclaredConstructor().newInstance())).isEqualTo("f-1");
    assertThat(KeyProperty.find(event, "flat")).isEmpty();
  }

  /** Returns a class with a method that returns a text. */
  private static Class<?> ofKotlin(String name, String getter) throws IllegalAccessException {
    String parent = "java/lang/Object";
    String here = KeyPropertyTest.class.getPackageName().replace('.', '/') + '/' + name;
    ClassWriter made = new ClassWriter(0);
    made.visit(Opcodes.V17, Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER, here, null, parent, null);
    MethodVisitor constructor = made.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
    constructor.visitCode();
    constructor.visitVarInsn(Opcodes.ALOAD, 0);
    constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, parent, "<init>", "()V", false);
    constructor.visitInsn(Opcodes.RETURN);
    constructor.visitMaxs(1, 1);
    constructor.visitEnd();
    MethodVisitor method =
        made.visitMethod(Opcodes.ACC_PUBLIC, getter, "()Ljava/lang/String;", null, null);
    method.visitCode();
    method.visitLdcInsn("f-1");
    method.visitInsn(Opcodes.ARETURN);
    method.visitMaxs(1, 1);
    method.visitEnd();
    made.visitEnd();
    return MethodHandles.lookup().defineClass(made.toByteArray());
  }
}
