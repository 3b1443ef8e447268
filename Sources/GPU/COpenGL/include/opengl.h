/* This Source Code Form is subject to the terms of the Mozilla Public
 * License, v. 2.0. If a copy of the MPL was not distributed with this
 * file, You can obtain one at https://mozilla.org/MPL/2.0/. */

/* The functions of OpenGL that the effect uses, all of them in OpenGL 3.3 and
 * in OpenGL ES 3.0. GstGLFuncs lacks some. */
#pragma once

#include <GL/glcorearb.h>
#include <stdbool.h>
#include <stdint.h>

#if defined(__clang__)
#pragma clang assume_nonnull begin
#endif

#define OPENGL_FUNCTIONS(FUNCTION) \
  FUNCTION (ACTIVETEXTURE, ActiveTexture) \
  FUNCTION (ATTACHSHADER, AttachShader) \
  FUNCTION (BEGINQUERY, BeginQuery) \
  FUNCTION (BINDFRAMEBUFFER, BindFramebuffer) \
  FUNCTION (BINDTEXTURE, BindTexture) \
  FUNCTION (BINDVERTEXARRAY, BindVertexArray) \
  FUNCTION (BLITFRAMEBUFFER, BlitFramebuffer) \
  FUNCTION (CHECKFRAMEBUFFERSTATUS, CheckFramebufferStatus) \
  FUNCTION (COMPILESHADER, CompileShader) \
  FUNCTION (CREATEPROGRAM, CreateProgram) \
  FUNCTION (CREATESHADER, CreateShader) \
  FUNCTION (DELETEFRAMEBUFFERS, DeleteFramebuffers) \
  FUNCTION (DELETEPROGRAM, DeleteProgram) \
  FUNCTION (DELETEQUERIES, DeleteQueries) \
  FUNCTION (DELETESHADER, DeleteShader) \
  FUNCTION (DELETETEXTURES, DeleteTextures) \
  FUNCTION (DELETEVERTEXARRAYS, DeleteVertexArrays) \
  FUNCTION (DISABLE, Disable) \
  FUNCTION (DRAWARRAYS, DrawArrays) \
  FUNCTION (ENDQUERY, EndQuery) \
  FUNCTION (FRAMEBUFFERTEXTURE2D, FramebufferTexture2D) \
  FUNCTION (FRAMEBUFFERTEXTURELAYER, FramebufferTextureLayer) \
  FUNCTION (GENFRAMEBUFFERS, GenFramebuffers) \
  FUNCTION (GENQUERIES, GenQueries) \
  FUNCTION (GENTEXTURES, GenTextures) \
  FUNCTION (GENVERTEXARRAYS, GenVertexArrays) \
  FUNCTION (GETERROR, GetError) \
  FUNCTION (GETINTEGERV, GetIntegerv) \
  FUNCTION (GETPROGRAMINFOLOG, GetProgramInfoLog) \
  FUNCTION (GETPROGRAMIV, GetProgramiv) \
  FUNCTION (GETQUERYOBJECTUIV, GetQueryObjectuiv) \
  FUNCTION (GETSHADERINFOLOG, GetShaderInfoLog) \
  FUNCTION (GETSHADERIV, GetShaderiv) \
  FUNCTION (GETUNIFORMLOCATION, GetUniformLocation) \
  FUNCTION (LINKPROGRAM, LinkProgram) \
  FUNCTION (PIXELSTOREI, PixelStorei) \
  FUNCTION (READPIXELS, ReadPixels) \
  FUNCTION (SHADERSOURCE, ShaderSource) \
  FUNCTION (TEXIMAGE2D, TexImage2D) \
  FUNCTION (TEXIMAGE3D, TexImage3D) \
  FUNCTION (TEXPARAMETERI, TexParameteri) \
  FUNCTION (TEXSUBIMAGE2D, TexSubImage2D) \
  FUNCTION (UNIFORM1F, Uniform1f) \
  FUNCTION (UNIFORM1I, Uniform1i) \
  FUNCTION (UNIFORM1UI, Uniform1ui) \
  FUNCTION (UNIFORM2I, Uniform2i) \
  FUNCTION (UNIFORM4F, Uniform4f) \
  FUNCTION (UNIFORM4I, Uniform4i) \
  FUNCTION (UNIFORM4IV, Uniform4iv) \
  FUNCTION (UNIFORM4UI, Uniform4ui) \
  FUNCTION (USEPROGRAM, UseProgram) \
  FUNCTION (VIEWPORT, Viewport)

typedef struct
{
#if defined(__clang__)
#define OPENGL_MEMBER(TYPE, Name) PFNGL##TYPE##PROC _Nonnull Name;
#else
#define OPENGL_MEMBER(TYPE, Name) PFNGL##TYPE##PROC Name;
#endif
  OPENGL_FUNCTIONS (OPENGL_MEMBER)
#undef OPENGL_MEMBER
} OpenGL;

/* Finds the functions of a GstGLContext; false if one is missing. */
bool opengl_load (OpenGL * gl, void *context);

/* Whether its shaders are those of OpenGL ES. */
bool opengl_is_es (void *context);

/* The bytes of memory of the GPU; 0 where the driver does not say. */
uint64_t opengl_memory (const OpenGL * gl, void *context);

/* Whether it is at least OpenGL 3.3 or OpenGL ES 3.0. */
bool opengl_is_new_enough (void *context);

#if defined(__clang__)
#pragma clang assume_nonnull end
#endif
