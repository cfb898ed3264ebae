// layout ARCHIVE FOLDER TAG: an image as an OCI image layout, from an archive as `docker save` writes it. The same archive gives the
// same layout: layers are compressed without a time, and the image has none. Prints the digest of the image.
package main

import (
	"fmt"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: layout ARCHIVE FOLDER TAG")
		os.Exit(2)
	}
	digest, err := write(os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		fmt.Fprintln(os.Stderr, "layout:", err)
		os.Exit(1)
	}
	fmt.Println(digest)
}

func write(archive, folder, tag string) (v1.Hash, error) {
	image, err := ociImage(archive)
	if err != nil {
		return v1.Hash{}, err
	}
	path, err := layout.Write(folder, empty.Index)
	if err != nil {
		return v1.Hash{}, err
	}
	config, err := image.ConfigFile()
	if err != nil {
		return v1.Hash{}, err
	}
	name := map[string]string{"org.opencontainers.image.ref.name": tag}
	platform := v1.Platform{OS: config.OS, Architecture: config.Architecture}
	if err := path.AppendImage(image, layout.WithAnnotations(name), layout.WithPlatform(platform)); err != nil {
		return v1.Hash{}, err
	}
	return image.Digest()
}

// ociImage has the configuration and the layers of the archive, with the media types of OCI.
func ociImage(archive string) (v1.Image, error) {
	// Layers are asked for digest, size and contents: each is compressed once and kept.
	packed, err := tarball.ImageFromPath(archive, nil)
	if err != nil {
		return nil, err
	}
	layers, err := packed.Layers()
	if err != nil {
		return nil, err
	}
	var added []mutate.Addendum
	for _, plain := range layers {
		layer, err := tarball.LayerFromOpener(plain.Uncompressed, tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching)
		if err != nil {
			return nil, err
		}
		added = append(added, mutate.Addendum{Layer: layer, MediaType: types.OCILayer})
	}
	image := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	if image, err = mutate.Append(image, added...); err != nil {
		return nil, err
	}
	config, err := packed.ConfigFile()
	if err != nil {
		return nil, err
	}
	config = config.DeepCopy()
	config.Created = v1.Time{Time: time.Unix(0, 0).UTC()}
	return mutate.ConfigFile(image, config)
}
